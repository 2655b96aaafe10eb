import type { ManagedProcess } from '../../platform/process/child-process.js';
import { CodedError } from '../../platform/coded-error.js';

/** Thrown if there is no table of system calls for this machine's processor. */
export class UnknownProcessorError extends CodedError {
  readonly code = 'err_unknown_processor';
}

/**
 * Numbers of a system call: on x86-64, and in the table of all newer architectures (`asm-generic/unistd.h`).
 */
type Numbers = readonly [x64: number, generic: number];

/** System calls that no browser needs. */
const REFUSED: Readonly<Record<string, Numbers>> = {
  // Access to the keyring of the user who started the service. Processes inherit it even if they change their
  // user.
  ...{ add_key: [248, 217], request_key: [249, 218], keyctl: [250, 219] },
  // Access to other processes.
  ...{ ptrace: [101, 117], process_vm_readv: [310, 270], process_vm_writev: [311, 271], kcmp: [312, 272] },
  // Copies of other processes' descriptors.
  ...{ pidfd_getfd: [438, 438] },
  // Mounts. Chromium's own sandbox needs none. If they were allowed, a process that is root in its own
  // namespace could mount file systems.
  ...{
    pivot_root: [155, 41],
    mount: [165, 40],
    umount2: [166, 39],
    setns: [308, 268],
    open_tree: [428, 428],
  },
  ...{
    move_mount: [429, 429],
    fsopen: [430, 430],
    fsconfig: [431, 431],
    fsmount: [432, 432],
    fspick: [433, 433],
  },
  ...{ mount_setattr: [442, 442], name_to_handle_at: [303, 264], open_by_handle_at: [304, 265] },
  // Large parts of the kernel with frequent vulnerabilities.
  ...{ perf_event_open: [298, 241], bpf: [321, 280], userfaultfd: [323, 282] },
  ...{ io_uring_setup: [425, 425], io_uring_enter: [426, 426], io_uring_register: [427, 427] },
  // Changes of the machine itself.
  ...{ init_module: [175, 105], finit_module: [313, 273], delete_module: [176, 106], syslog: [103, 116] },
  ...{ kexec_load: [246, 104], kexec_file_load: [320, 294], reboot: [169, 142] },
  ...{ swapon: [167, 224], swapoff: [168, 225] },
};

/**
 * Processor architectures by their Node name: the kernel's constant (`AUDIT_ARCH_` in linux/audit.h) and the
 * index in {@link Numbers}.
 */
const PROCESSORS: Partial<Record<string, readonly [audit: number, column: 0 | 1]>> = {
  x64: [0xc000003e, 0],
  arm64: [0xc00000b7, 1],
};

/**
 * Instructions of classic BPF (linux/bpf_common.h): load a word, jump if equal, jump if greater or equal,
 * return.
 */
const [LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
/** Offsets in `struct seccomp_data`. */
const [NUMBER, PROCESSOR] = [0, 4];
/** First system-call number of x32, a second system-call interface of x86-64. */
const X32 = 0x40000000;
const ALLOW = 0x7fff0000;
/** Result of the filter that makes a call fail with EPERM. */
const REFUSE = 0x00050000 | 1;

/** The call that creates a socket, and the offset of its first argument, the family, in `seccomp_data`. */
const SOCKET: Numbers = [41, 198];
const FAMILY = 16;
/**
 * Family of sockets to the kernel, for example for its list of network interfaces. Chromium reads this list
 * to find out if the machine is online. The browser's network has only the loopback interface, so pages would
 * see `navigator.onLine` as false. Without the list, Chromium assumes that it is online.
 */
const NETLINK = 16;

/**
 * Returns a seccomp filter for bubblewrap's `--seccomp`. System calls that a browser never needs fail with
 * EPERM, and so do all calls of another architecture, and sockets of the family netlink. Chromium's own, much
 * stricter filters around pages still apply.
 */
export function systemCallFilter(processor: string = process.arch): Buffer {
  const known = PROCESSORS[processor];
  if (!known) throw new UnknownProcessorError(`Sessions run on x64 and arm64, not on ${processor}.`);
  const [audit, column] = known;
  const numbers = Object.values(REFUSED).map((both) => both[column]);
  type Instruction = [code: number, jumpTrue: number, jumpFalse: number, value: number];
  // The numbers are followed by the check of the family, then by the refusal. A jump of 0 continues with the
  // next instruction.
  const family: Instruction[] = [
    [JUMP_EQUAL, 0, 3, SOCKET[column]],
    [LOAD, 0, 0, FAMILY],
    [JUMP_EQUAL, 0, 1, NETLINK],
  ];
  const rest = numbers.length + family.length;
  const program: Instruction[] = [
    [LOAD, 0, 0, PROCESSOR],
    [JUMP_EQUAL, 0, rest + 2, audit],
    [LOAD, 0, 0, NUMBER],
    [JUMP_AT_LEAST, rest, 0, X32],
    ...numbers.map((number, index): Instruction => [JUMP_EQUAL, rest - index - 1, 0, number]),
    ...family,
    [RETURN, 0, 0, REFUSE],
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, jumpTrue, jumpFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}

/**
 * Passes the filter to a bubblewrap that was started with `--seccomp` and this descriptor. Ignores write
 * errors, because a bubblewrap that failed does not read the filter.
 */
export function giveFilter(room: ManagedProcess, descriptor: number): void {
  room
    .pipe(descriptor)
    .on('error', () => undefined)
    .end(systemCallFilter());
}
