"""The boundary around a submission: what it sees, and the command that starts a process behind it.

It is the system's own: bubblewrap, or Podman or Docker.  Inside there is Python with its packages, svmlib, and
svmcourse without checks, all read-only; its own processes, no network, no capability, a file system of bounded
size to write in.  Results, checks and other submissions are not there.  Started as root, a submission is another user.
"""
from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RUNTIMES = ("bwrap", "podman", "docker")
IMAGE = "debian:stable-slim"    # any image with merged /usr: what runs is this machine's /usr and Python
NOBODY = 65534
HOME = "/tmp"
SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "fonts")
ROOM = 10_000_000               # bytes of disk for the look around
MODULES = "numpy", "IPython", "svmlib", "svmcourse"

#: System calls that no answer needs: whoever makes one is ended, which the report then says.
ENDED = ("ptrace", "process_vm_readv", "process_vm_writev", "mount", "umount2", "pivot_root", "unshare", "setns", "bpf",
         "perf_event_open", "userfaultfd", "io_uring_setup", "keyctl", "add_key", "request_key", "kexec_load",
         "kexec_file_load", "init_module", "finit_module", "delete_module", "open_by_handle_at", "open_tree",
         "move_mount", "fsopen", "fsmount", "mount_setattr", "reboot", "swapon", "swapoff", "pidfd_getfd")
#: Those that libraries try, too: refused.  No other process, no socket, no memory that outlives what is counted.
REFUSED = ("fork", "vfork", "socket", "shmget", "semget", "msgget", "memfd_create", "memfd_secret", "chroot", "kcmp",
           "personality", "acct", "quotactl", "name_to_handle_at")
CLONE_THREAD = 0x00010000
SIGSYS = 31

LOOK = """
import json, os, socket, sys
import {modules}
secrets, course = json.loads(sys.argv[1])
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
def fails(action):
    try:
        action()
    except OSError:
        return True
    return False
print(json.dumps({{
    "uid": os.getuid(), "capabilities": int(status["CapEff"], 16), "privileges": status.get("NoNewPrivs"),
    "seen": [path for path in secrets if os.path.lexists(path)],
    "written": [path for path in (course, "/", "/dev", "/usr", sys.prefix)
                if not fails(lambda: open(os.path.join(path, "svmlib-look"), "w"))],
    "forks": not fails(lambda: os.fork() or os._exit(0)), "interfaces":
    [line.partition(":")[0].strip() for line in open("/proc/net/dev") if ":" in line],
    "processes": sum(name.isdigit() for name in os.listdir("/proc")),
    "room": os.statvfs({home!r}).f_blocks * os.statvfs({home!r}).f_frsize}}))
""".format(modules=", ".join(MODULES), home=HOME)


@functools.cache
def call_filter() -> bytes:
    """The filter of system calls as the kernel reads it, or nothing where libseccomp is missing."""
    try:
        import pyseccomp as seccomp
    except (ImportError, OSError, RuntimeError):
        return b""
    calls = seccomp.SyscallFilter(seccomp.ALLOW)

    def rule(action: int, name: str, *conditions: Any) -> None:
        try:
            calls.add_rule(action, name, *conditions)
        except OSError:         # a call that this processor, or an older libseccomp, does not know
            return

    for name in ENDED:
        rule(seccomp.KILL_PROCESS, name)
    for name in REFUSED:
        rule(seccomp.ERRNO(1), name)
    rule(seccomp.ERRNO(1), "clone", seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_THREAD, 0))     # processes, not threads
    rule(seccomp.ERRNO(38), "clone3")           # "not here": the C library then takes clone, whose flags can be read
    with tempfile.TemporaryFile() as file:
        calls.export_bpf(file)
        file.seek(0)
        return file.read()


@dataclass(frozen=True)
class Boundary:
    """How submissions are started: by one of RUNTIMES, or by "" without a boundary.

    course, compiled : what they may read.  secrets : what must not be there for them; a directory that leads to what
    they may read is empty but for that.
    """

    runtime: str
    course: Path
    compiled: Path
    secrets: tuple[Path, ...] = ()
    image: str = IMAGE

    @property
    def words(self) -> str:
        """What a report says of it."""
        if not self.runtime:
            return ("UNCONFINED: answers ran as ordinary programs of whoever graded. They could read solutions and "
                    "other submissions, and change results.")
        program = {"bwrap": "bubblewrap", "podman": "Podman", "docker": "Docker"}[self.runtime]
        calls = "" if self.runtime != "bwrap" or call_filter() else " There was no filter of system calls (libseccomp)."
        return f"Answers ran behind {program}: own files and processes, no network, no privilege.{calls}"

    # ---- what is there -----------------------------------------------------------------------------------------------
    def shown(self) -> list[Path]:
        """Directories of Python that are not below /usr."""
        program = Path(sys.executable).resolve()
        wanted = dict.fromkeys(map(Path, (sys.prefix, sys.base_prefix, str(program.parents[1]))))
        kept = [path for path in wanted if not path.is_relative_to("/usr")]
        return [path for path in kept if not any(path != other and path.is_relative_to(other) for other in kept)]

    def masked(self) -> list[Path]:
        """What lies inside of a directory that is shown, and must not be: ours below /usr, and in site-packages."""
        outer = [Path("/usr"), *self.shown()]
        installed = [path for top in outer[1:] for package in ("svmlib", "svmcourse")
                     for path in top.glob(f"lib*/python*/site-packages/{package}")]
        inside = [path for path in (*self.secrets, *installed)
                  if path.is_dir() and any(path.is_relative_to(top) for top in outer)]
        return [path for path in inside if not any(path != top and path.is_relative_to(top) for top in inside)]

    def bound(self) -> list[Path]:
        """What is shown once more on top of what is masked."""
        again = [path for path in self.shown() if any(path.is_relative_to(top) for top in self.masked())]
        return [*again, self.course, self.compiled]

    def environment(self, home: str = HOME) -> dict[str, str]:
        """The variables of a submission: nothing of whoever grades."""
        # The last two name another processor, for which the code was compiled then.
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "OPENBLAS_CORETYPE", "NUMBA_CPU_NAME")
                if name in os.environ}
        return {**kept, "PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home, "USER": "student", "LOGNAME": "student",
                "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "SVMLIB_PROGRESS": "off", "PYTHONHASHSEED": "0",
                "JOBLIB_MULTIPROCESSING": "0",          # one after the other, where no process can be started
                "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(self.course), "IPYTHONDIR": home,
                "MPLCONFIGDIR": f"{home}/matplotlib", "NUMBA_CACHE_DIR": f"{home}/numba"}

    # ---- the command -------------------------------------------------------------------------------------------------
    def command(self, entry: Sequence[str], memory: int, disk: int, name: str = "",
                calls: int | None = None) -> list[str]:
        """The command that runs `entry` behind the boundary; calls is a descriptor from which the filter is read."""
        if self.runtime == "bwrap":
            return [*self._bubblewrap(disk, calls), *entry]
        if self.runtime:
            return [*self._container(memory, disk, name), *entry]
        return list(entry)

    def _bubblewrap(self, disk: int, calls: int | None) -> list[str]:
        """bubblewrap: as root another user of the system, otherwise one's own in a user namespace."""
        root = os.geteuid() == 0
        command = [shutil.which("bwrap") or "bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
                   "--unshare-cgroup-try", "--die-with-parent", "--cap-drop", "ALL"]
        if root:        # setpriv, below, gives these up
            command += [word for name in ("SETUID", "SETGID", "SETPCAP") for word in ("--cap-add", f"CAP_{name}")]
        else:
            command += ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)]
        command += ["--perms", "1777", "--size", str(disk), "--tmpfs", HOME, *_system(),
                    "--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", "1000000", "--tmpfs", "/dev/shm"]
        command += [word for path in self.shown() for word in _mounted(path)]
        command += [word for path in self.masked() for word in ("--perms", "755", "--tmpfs", str(path))]
        command += [word for path in self.bound() for word in _mounted(path)]
        command += [word for path in (*self.masked(), "/dev", "/") for word in ("--remount-ro", str(path))]
        command += ["--chdir", HOME]
        if calls is not None:
            command += ["--seccomp", str(calls)]
        if root:
            user = str(2_000_000 + os.getpid() % 1_000_000)             # two judges, two users
            command += ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all",
                        "--ambient-caps=-all", "--bounding-set=-all"]
        return command

    def _container(self, memory: int, disk: int, name: str) -> list[str]:
        """Podman or Docker, with this machine's /usr and Python in a small image."""
        command = [self.runtime, "run", "--rm", "--interactive", "--name", name, "--network", "none", "--read-only",
                   "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", "64",
                   "--memory", str(memory + disk), "--memory-swap", str(memory + disk), "--cpus", "1",
                   "--user", f"{NOBODY}:{NOBODY}", "--tmpfs", f"{HOME}:rw,size={disk},mode=1777",
                   "--shm-size", "1m", "--workdir", HOME]
        for path in (Path("/usr"), *self.shown()):
            command += ["--mount", f"type=bind,src={path},dst={path},readonly"]
        for path in self.masked():
            command += ["--tmpfs", f"{path}:ro,size=4k,mode=0555"]
        for path in self.bound():
            command += ["--mount", f"type=bind,src={path},dst={path},readonly"]
        for variable, value in self.environment().items():
            command += ["--env", f"{variable}={value}"]
        return [*command, self.image]

    def start(self, entry: Sequence[str], memory: int, disk: int, home: str = HOME, **streams: Any) -> subprocess.Popen:
        """Start `entry`; `end` ends it."""
        name, calls = f"svmlib-grading-{uuid.uuid4().hex}", None
        if self.runtime == "bwrap" and call_filter():
            calls, end = os.pipe()
            os.write(end, call_filter())
            os.close(end)
        try:
            environment = self.environment(home) if self.runtime in ("bwrap", "") else None
            process = subprocess.Popen(self.command(entry, memory, disk, name, calls), env=environment,
                                       pass_fds=() if calls is None else (calls,), start_new_session=True,
                                       cwd=None if self.runtime else home, **streams)
        finally:
            if calls is not None:
                os.close(calls)
        process.container = name if self.runtime in ("podman", "docker") else ""      # type: ignore[attr-defined]
        return process

    def end(self, process: subprocess.Popen) -> None:
        """End all that an engine started; a process of our own is killed by who has it."""
        if name := getattr(process, "container", ""):
            subprocess.run([self.runtime, "kill", name], capture_output=True, check=False)

    # ---- whether it holds --------------------------------------------------------------------------------------------
    def fault(self) -> str:
        """Why there is no boundary here, as a sentence; "" where a process that looks around finds it whole."""
        if not self.runtime:
            return ""
        if shutil.which(self.runtime) is None:
            return f"{self.runtime} is not installed"
        shown = [*self.shown(), self.course, self.compiled]
        ours = [str(path) for path in self.secrets if not any(there.is_relative_to(path) for there in shown)]
        entry = [sys.executable, "-c", LOOK, json.dumps([ours, str(self.course)])]
        process = self.start(entry, 4_000_000_000, ROOM, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            self.end(process)
            process.kill()
            return f"{self.runtime} gave no answer in five minutes"
        if process.returncode:
            return f"{self.runtime} cannot start Python here: {err.decode(errors='replace').strip()[-500:]}"
        return _breach(json.loads(out.splitlines()[-1]), self.runtime == "bwrap" and bool(call_filter()))


def _mounted(path: Path) -> list[str]:
    """bubblewrap's words for a directory, below directories that another user can pass through."""
    above = [word for parent in reversed(path.parents[:-1]) for word in ("--perms", "755", "--dir", str(parent))]
    return [*above, "--ro-bind", str(path), str(path)]


def _system() -> list[str]:
    """bubblewrap's words for the system's own directories and the few settings that programs read."""
    command = ["--ro-bind", "/usr", "/usr"]
    for path in map(Path("/").joinpath, SYSTEM):
        if path.is_symlink():
            command += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            command += ["--ro-bind", str(path), str(path)]
    return command + [word for name in SETTINGS for word in ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")]


def _breach(seen: dict[str, Any], filtered: bool) -> str:
    """What a process behind the boundary should not have been able to do."""
    could = {
        f"be user {seen['uid']} with capabilities {seen['capabilities']:x}": seen["uid"] == 0 or seen["capabilities"],
        "gain privileges": seen["privileges"] != "1",
        f"read {', '.join(seen['seen'])}": seen["seen"],
        f"write to {', '.join(seen['written'])}": seen["written"],
        f"reach a network by {', '.join(seen['interfaces'])}": set(seen["interfaces"]) - {"lo"},
        f"see {seen['processes']} processes": seen["processes"] > 8,
        "start processes": filtered and seen["forks"],
        f"write {seen['room'] / 1e6:.0f} MB": seen["room"] > 2 * ROOM,
    }
    found = [what for what, so in could.items() if so]
    return f"answers could {', '.join(found)}" if found else ""
