# Distribution of call times, emulated. baseline: half of 80000 calls take at most 0.9045 ms, 99 % at most 3.02 ms, the slowest 10.20 ms; patched: half of 80000 calls take at most 0.0905 ms, 99 % at most 0.3015 ms, the slowest 1.02 ms.
set terminal svg size 480,420 dynamic noenhanced font "sans-serif,13"
set encoding utf8
set border 3
set tics nomirror scale 0.5
set xtics norotate
set grid xtics ytics linetype 1 linewidth 1 linecolor rgb "#d8d8d8"
set style line 1 linetype 1 linewidth 2 linecolor rgb "#b35806" pointtype 7 pointsize 0.6
set style line 2 linetype 1 linewidth 2 linecolor rgb "#2166ac" pointtype 9 pointsize 0.6
set logscale x
set xrange [0.0355707:14.0509]
set yrange [0:7.103]
set xtics ("100 µs" 0.1, "1 ms" 1, "10 ms" 10)
set ytics ("0 %%" 0.0000, "25 %%" 0.8333, "50 %%" 1.6667, "75 %%" 2.5000, "90 %%" 3, "99 %%" 4, "99.9 %%" 5, "99.99 %%" 6)
set xlabel "time of a call, EMULATED"
set ylabel "calls that took at most this long"
set key above horizontal center samplen 2
$baseline << END
0.49 0.0000
0.49 0.0833
0.5 0.1667
0.505 0.2500
0.51 0.3333
0.98 0.6667
1 1.0000
1.01 1.3333
1.02 1.6667
1.96 2.0000
2 2.3333
2.02 2.6667
2.04 3.0000
7.84 3.1107
8 3.2596
8.08 3.4881
8.16 4.0000
9.8 4.1249
10 4.3010
10.1 4.6021
10.2 6.9031
END
$baseline_boots << END
0.5 0.0000
0.5 0.3333
1 1.6667
2 3.0000
8 4.0000
10 6.3010

0.51 0.0000
0.51 0.3333
1.02 1.6667
2.04 3.0000
8.16 4.0000
10.2 6.3010

0.49 0.0000
0.49 0.3333
0.98 1.6667
1.96 3.0000
7.84 4.0000
9.8 6.3010

0.505 0.0000
0.505 0.3333
1.01 1.6667
2.02 3.0000
8.08 4.0000
10.1 6.3010

END
$patched << END
0.049 0.0000
0.049 0.0833
0.05 0.1667
0.0505 0.2500
0.051 0.3333
0.098 0.6667
0.1 1.0000
0.101 1.3333
0.102 1.6667
0.196 2.0000
0.2 2.3333
0.202 2.6667
0.204 3.0000
0.784 3.1107
0.8 3.2596
0.808 3.4881
0.816 4.0000
0.98 4.1249
1 4.3010
1.01 4.6021
1.02 6.9031
END
$patched_boots << END
0.05 0.0000
0.05 0.3333
0.1 1.6667
0.2 3.0000
0.8 4.0000
1 6.3010

0.051 0.0000
0.051 0.3333
0.102 1.6667
0.204 3.0000
0.816 4.0000
1.02 6.3010

0.049 0.0000
0.049 0.3333
0.098 1.6667
0.196 3.0000
0.784 4.0000
0.98 6.3010

0.0505 0.0000
0.0505 0.3333
0.101 1.6667
0.202 3.0000
0.808 4.0000
1.01 6.3010

END
plot $baseline_boots with steps linestyle 1 linewidth 0.5 notitle, $baseline with steps linestyle 1 title "baseline", $patched_boots with steps linestyle 2 linewidth 0.5 notitle, $patched with steps linestyle 2 title "patched"

# Every sample's mean, by boot in the order run, emulated. Over all boots: baseline 1.00 ms, patched 0.1002 ms.
set terminal svg size 480,270 dynamic noenhanced font "sans-serif,13"
set encoding utf8
set border 3
set tics nomirror scale 0.5
set xtics norotate
set grid xtics ytics linetype 1 linewidth 1 linecolor rgb "#d8d8d8"
set style line 1 linetype 1 linewidth 2 linecolor rgb "#b35806" pointtype 7 pointsize 0.6
set style line 2 linetype 1 linewidth 2 linecolor rgb "#2166ac" pointtype 9 pointsize 0.6
set logscale y
set yrange [0.0851498:1.17393]
set ytics ("100 µs" 0.1, "200 µs" 0.2, "500 µs" 0.5, "1 ms" 1)
set xrange [0.3:8.7]
set xtics ("b1" 1, "b2" 2, "b3" 3, "b4" 4, "p1" 5, "p2" 6, "p3" 7, "p4" 8)
set xlabel "boots in the order run"
set ylabel "sample mean, EMULATED"
unset key
$baseline_boots << END
0.700 1
1.700 1.02
2.700 0.98
3.700 1.01
END
$baseline << END
1.000 1
2.000 1.02
3.000 0.98
4.000 1.01
END
$patched_boots << END
4.700 0.1
5.700 0.102
6.700 0.098
7.700 0.101
END
$patched << END
5.000 0.1
6.000 0.102
7.000 0.098
8.000 0.101
END
plot $baseline_boots using 1:2:(0.6):(0) with vectors nohead linestyle 1, $baseline with points linestyle 1, $patched_boots using 1:2:(0.6):(0) with vectors nohead linestyle 2, $patched with points linestyle 2

# Ratio patched/baseline: 0.100, 95 % interval 0.0971 to 0.103; the margin is 0.952 to 1.05; emulated.
set terminal svg size 480,120 dynamic noenhanced font "sans-serif,13"
set encoding utf8
set border 3
set tics nomirror scale 0.5
set xtics norotate
set grid xtics ytics linetype 1 linewidth 1 linecolor rgb "#d8d8d8"
set style line 1 linetype 1 linewidth 2 linecolor rgb "#b35806" pointtype 7 pointsize 0.6
set style line 2 linetype 1 linewidth 2 linecolor rgb "#2166ac" pointtype 9 pointsize 0.6
set border 1
set logscale x
set xrange [0.0841616:1.21124]
set yrange [0:2]
set xtics ("0.1" 0.1, "0.2" 0.2, "0.5" 0.5, "1" 1)
unset ytics
unset key
set xlabel "patched / baseline (left of 1: faster), EMULATED"
set object 1 rectangle from 0.952381, graph 0 to 1.05, graph 1 behind fillcolor rgb "#cccccd" fillstyle solid noborder
set arrow 1 from 1, graph 0 to 1, graph 1 nohead linewidth 1 linecolor rgb "#000000"
$ratio << END
0.1 1
END
$interval << END
0.1 1 0.0970858 0.103002
END
plot $interval with xerrorbars linestyle 2 pointtype 7 pointsize 0.8

