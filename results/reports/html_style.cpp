// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/html_sections.h"

namespace kmatrix {

std::string page_style() {
    return R"(:root{
 color-scheme:light dark;
 --quiet:#57606a;--link:#0b57d0;--code:#f4f6f8;
 --good:#dff3e4;--bad:#fde1de;--unsure:#fdf1cf;--none:#f0f2f4;
 --good-edge:#2c8a4b;--bad-edge:#c62f21;--unsure-edge:#a87400;--none-edge:#8b949e}
@media screen and (prefers-color-scheme:dark){:root{
 --quiet:#a3adb8;--link:#8ab8ff;--code:#1e2328;
 --good:#173d26;--bad:#571f1b;--unsure:#463813;--none:#23282d;
 --good-edge:#4fbf74;--bad-edge:#ff7b6e;--unsure-edge:#dfb040;--none-edge:#6b757f}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:70rem;color:var(--ink);background:var(--paper);
 font:1rem/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;
 overflow-wrap:break-word}
h1,h2,h3,dd,li,p,small{overflow-wrap:anywhere}
a{color:var(--link)}
h1{font-size:1.5rem;line-height:1.3;margin:.2rem 0 .6rem;text-wrap:pretty}
h2{font-size:1.2rem;margin:2.4rem 0 .6rem;padding-bottom:.2rem;border-bottom:1px solid var(--faint)}
h3{font-size:1rem;margin:0 0 .4rem}
table+h3,h3+h3{margin-top:1.2rem}
h4{font-size:1rem;margin:.8rem 0 .2rem}
h2 span,h3 span,header span,summary span,th span{font-weight:normal;color:var(--quiet)}
header{padding:.8rem 1rem;border-left:.4rem solid}
header p{margin:0}
header.good,article.good{border-color:var(--good-edge)}
header.bad,article.bad{border-color:var(--bad-edge)}
header.unsure,article.unsure{border-color:var(--unsure-edge)}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--faint)}
th{font-weight:600}
thead th{color:var(--quiet)}
tbody th{font-weight:normal}
table.figures td,table.figures thead th:not(:first-child){text-align:right}
table.figures td:first-child{text-align:left}
td.good{background:var(--good)}
td.bad{background:var(--bad)}
td.unsure{background:var(--unsure)}
td.none{background:var(--none)}
table.matrix{width:100%;border-spacing:2px;border-collapse:separate}
table.matrix th,table.matrix td{border:0}
table.matrix tbody th{font-weight:600}
table.matrix tbody th span{display:block;font-size:.9em}
table.matrix td strong{display:block;color:var(--bad-edge)}
p.sentence{font-size:1.1rem}
.remarks,small,figcaption,footer{color:var(--quiet)}
.pictures{display:grid;grid-template-columns:1fr 1fr;gap:0 1.5rem;margin:1rem 0}
figure{margin:0 0 1rem}
img{display:block;width:100%;max-width:36rem;height:auto}
figcaption{font-size:.85rem;max-width:36rem}
article{margin:0 0 1rem;padding:.7rem 1rem;border-left:.3rem solid;background:var(--code)}
pre,code{font:.85rem/1.45 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
pre{margin:.4rem 0;padding:.5rem .7rem;overflow-x:auto;background:var(--code);
 overflow-wrap:normal;unicode-bidi:isolate}
article pre{background:var(--paper)}
pre.command{white-space:pre-wrap;overflow-wrap:anywhere}
code.line{font-weight:600;white-space:pre-wrap}
details{margin:.3rem 0}
details table{margin:.5rem 0}
summary{cursor:pointer;padding:.2rem 0}
.depth1{padding-left:1.2rem}.depth2{padding-left:2rem}.depth3{padding-left:2.8rem}
.depth4{padding-left:3.6rem}.depth5{padding-left:4.4rem}
td.baseline:not(.good,.bad,.unsure,.none){color:var(--baseline)}
td.patched:not(.good,.bad,.unsure,.none){color:var(--patched)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}
dt{color:var(--quiet)}
dd{margin:0}
footer{margin-top:3rem;font-size:.85rem}
@media (max-width:44rem){
 body{padding:.6rem}
 header{padding:.4rem .7rem}
 h1{font-size:1.2rem}
 th,td{padding:.2rem .35rem}
 .pictures{display:block}
 dl{display:block}
 table.matrix,table.matrix tbody{display:block}
 table.matrix thead{display:none}
 table.matrix tr{display:grid;grid-template-columns:1fr 1fr;gap:2px;margin-bottom:1rem}
 table.matrix tbody th{grid-area:1/1/2/3}
 table.matrix td:nth-child(2){grid-area:2/1}
 table.matrix td:nth-child(3){grid-area:3/1}
 table.matrix td:nth-child(4){grid-area:4/1}
 table.matrix td:nth-child(5){grid-area:2/2}
 table.matrix td:nth-child(6){grid-area:3/2}
 table.matrix td:nth-child(7){grid-area:4/2}
 table.matrix td:nth-child(8){grid-area:5/1/6/3}
 table.matrix td::before{content:attr(data-label);display:block;font-size:.8em;color:var(--quiet)}
 section,details{overflow-x:auto}
}
@media print{
 :root{font-size:9.5pt}
 body{max-width:none;padding:0}
 h2{margin-top:1.4rem}
 .pictures{display:grid}
 nav{display:none}
 a{color:inherit;text-decoration:none}
 pre{white-space:pre-wrap;overflow-wrap:anywhere}
 h2,h3{break-after:avoid}
 figure,article,tr{break-inside:avoid}
 td,header,article{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
)";
}

} // namespace kmatrix
