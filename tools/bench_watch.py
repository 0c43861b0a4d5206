#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures how fast `kmatrix watch` reads an inbox: 20,000 mails of an epoch, and ten more after.

usage: tools/bench_watch.py
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get('KMATRIX_BUILD') or TOP / 'build')
MAILS, MORE = 20000, 10
# What a list brings: every second mail is a patch, in series of nine and a cover letter, for net/;
# the rule takes those for mm/, so that reading alone is measured.
WORDS = 'Words that somebody wrote on a list, as long as a line of it is.\n'
DIFF = ('---\n net/a.c | 2 +-\n\ndiff --git a/net/a.c b/net/a.c\n--- a/net/a.c\n+++ b/net/a.c\n'
        '@@ -1,{0} +1,{0} @@\n' + ' a line of it\n' * 60 + '-old {1}\n+new {1}\n')


def mail(n):
    number = n // 2 % 10
    head = f'<{n - 2 * number}@bench.example.org>'
    if n % 2:
        subject, above, body = f'Re: [PATCH 1/9] net: {n}', f'<{n - 1}@bench.example.org>', WORDS * 40
    else:
        subject, above = f'[PATCH {number}/9] net: {n}', head if number else ''
        body = WORDS * 10 + (DIFF.format(61, n) if number else '')
    text = (f'From: Ada <ada@example.org>\nTo: net@example.org\nDate: Thu, 1 Jan 2026 10:00:00 +0000\n'
            f'Message-ID: <{n}@bench.example.org>\nSubject: {subject}\n')
    if above:
        text += f'References: {above}\n'
    return (text + '\n' + body).encode()


def commits(numbers, more):
    for n in numbers:
        text = mail(n)
        yield (b'commit refs/heads/master\ncommitter A <a@example.org> 1767261600 +0000\ndata 1\nx\n' +
               (b'from refs/heads/master^0\n' if more and n == numbers[0] else b'') +
               b'deleteall\nM 100644 inline m\ndata %d\n%s\n' % (len(text), text))


def poll(watch_file, environment):
    """Seconds, and the number of mails that watch says it read."""
    begin = time.monotonic()
    run = subprocess.run([BUILD / 'runner/kmatrix', 'watch', '--once', watch_file], env=environment,
                         stderr=subprocess.PIPE, text=True, check=True)
    seconds = time.monotonic() - begin
    said = re.search(r'(\d+) new mails?', run.stderr)
    return seconds, int(said[1]) if said else 0


def measure():
    """(name, value, unit, target) of each figure."""
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        epoch = work / 'inbox/git/0.git'
        git = ['git', '--git-dir', epoch]
        subprocess.run(['git', 'init', '-q', '--bare', epoch], check=True)
        subprocess.run(git + ['symbolic-ref', 'HEAD', 'refs/heads/master'], check=True)

        def add(numbers, more):
            subprocess.run(git + ['fast-import', '--quiet'], input=b''.join(commits(numbers, more)),
                           check=True)

        add(range(MAILS), False)
        (work / 'tree').mkdir()
        (work / 'watch.toml').write_text(
            '[watch]\ndirectory = "state"\n[[inbox]]\nname = "bench"\nurl = "inbox"\nfrom_epoch = 0\n'
            '[[rule]]\nname = "mm"\nfiles = ["mm/"]\n'
            f'[run]\ntree = "tree"\nmatrix = "{TOP}/matrix/quick.toml"\n')
        environment = {**os.environ, 'XDG_STATE_HOME': str(work / 'xdg')}
        whole_s, whole = poll(work / 'watch.toml', environment)
        add(range(MAILS, MAILS + MORE), True)
        more_s, more = poll(work / 'watch.toml', environment)
        none_s, none = poll(work / 'watch.toml', environment)
    if (whole, more, none) != (MAILS, MORE, 0):
        sys.exit(f'bench_watch: read {whole}, {more} and {none} mails, not {MAILS}, {MORE} and 0')
    return [(f'reading {MAILS} mails of an epoch', whole_s, 's', ('<=', 10)),
            (f'a poll that reads {MORE} mails after them', more_s, 's', ('<=', 1)),
            ('a poll that finds nothing new', none_s, 's', ('<=', 1))]


if __name__ == '__main__':
    for name, value, unit, target in measure():
        print(f'{name:<50} {value:8.2f} {unit}  (wanted: {target[0]} {target[1]})')
