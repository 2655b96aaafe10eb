"""Emulates a link between two network namespaces, for kernels without tc's netem.

Usage: link.py NAMESPACE_PID ROUND_TRIP_MS LOSS RATE BUFFER_MS NUMBER

It runs in the viewer's namespace. NAMESPACE_PID is a process in the server's namespace. Each side gets a TUN
device. NUMBER distinguishes the links of one server. A packet waits for its turn at RATE (bit/s). It is lost
with the probability LOSS, or if more than BUFFER_MS of packets wait. It arrives after half of the round trip.
The two directions do not influence each other.

Descriptor 3 is a socket. It gets a line when the link is up. For each line that comes in, the bytes that were
sent to the viewer so far, those of the last 400 ms, and the lost packets go out as JSON.
"""

import collections
import fcntl
import json
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
SERVER = "10.77.0.1"
RECENT_SECONDS = 0.4
CONTROL = 3


def tun(name):
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return descriptor


def run(*command):
    subprocess.run(command, check=True)


class Direction:
    def __init__(self, source, target, delay, loss, rate, buffer):
        self.source, self.target = source, target
        self.delay, self.loss, self.rate, self.buffer = delay, loss, rate, buffer
        self.free_at = 0.0
        self.flying = collections.deque()
        self.recent = collections.deque()
        self.bytes = 0
        self.lost = 0

    def take(self, packet, now):
        self.bytes += len(packet)
        self.recent.append((now, len(packet)))
        while self.recent and self.recent[0][0] < now - RECENT_SECONDS:
            self.recent.popleft()
        start = max(now, self.free_at)
        if start - now > self.buffer:
            self.lost += 1
            return
        self.free_at = start + len(packet) * 8 / self.rate
        if random.random() < self.loss:
            self.lost += 1
            return
        self.flying.append((self.free_at + self.delay, packet))

    def deliver(self, now):
        while self.flying and self.flying[0][0] <= now:
            os.write(self.target, self.flying.popleft()[1])

    def recent_bytes(self, now):
        return sum(size for at, size in self.recent if at >= now - RECENT_SECONDS)


def main():
    pid, number = sys.argv[1], sys.argv[6]
    round_trip, loss, rate, buffer = map(float, sys.argv[2:6])
    address, device = f"10.77.{number}.2", f"server{number}"
    # Move the server's device into its namespace, then give each side its address.
    viewer, server = tun("viewer"), tun(device)
    run("ip", "link", "set", "lo", "up")
    run("ip", "addr", "add", address, "peer", SERVER, "dev", "viewer")
    run("ip", "link", "set", "viewer", "up")
    run("ip", "link", "set", device, "netns", pid)
    inside = ("nsenter", f"--net=/proc/{pid}/ns/net")
    run(*inside, "ip", "addr", "add", SERVER, "peer", address, "dev", device)
    run(*inside, "ip", "link", "set", device, "up")
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        pass  # A busy machine then delays packets, too.
    parts = (round_trip / 2000, loss, rate, buffer / 1000)
    down, up = Direction(server, viewer, *parts), Direction(viewer, server, *parts)
    os.write(CONTROL, b"up\n")
    while True:
        now = time.monotonic()
        due = [d.flying[0][0] for d in (down, up) if d.flying]
        timeout = max(0.0, min(due) - now) if due else None
        readable, _, _ = select.select([server, viewer, CONTROL], [], [], timeout)
        now = time.monotonic()
        for direction in (down, up):
            if direction.source in readable:
                try:
                    while True:
                        direction.take(os.read(direction.source, 65536), now)
                except BlockingIOError:
                    pass
            direction.deliver(now)
        if CONTROL in readable:
            if not os.read(CONTROL, 1024):
                return
            answer = {"bytes": down.bytes, "recent": down.recent_bytes(now), "lost": down.lost + up.lost}
            os.write(CONTROL, f"{json.dumps(answer)}\n".encode())


main()
