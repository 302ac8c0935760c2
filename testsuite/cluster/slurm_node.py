# SPDX-License-Identifier: Apache-2.0
"""Slurm on one node, for a test: munged, slurmctld and slurmd of the user who runs it, in a folder and at ports of their own, without systemd, accounts or
control groups. What is installed or running on the machine is not touched."""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "scancel", "scontrol", "squeue", "sinfo"]
CONFIGURATION = """ClusterName=tiebreak
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock,cred_expire=5
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
KillWait=5
MinJobAge=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def program(name):
    """Daemons lie in folders that are not on everybody's PATH."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing():
    """Programs that are not installed."""
    return [name for name in PROGRAMS if program(name) is None]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Node:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.host = socket.gethostname().split(".")[0]
        self.daemons = []
        self.environment = os.environ | {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def start(self, patience=20):
        """Why the node is not up after that many seconds; "" if it is."""
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(folder=self.folder, host=self.host, user=pwd.getpwuid(os.getuid()).pw_name, ports=free_ports(2)))
        own = [f"--{word}={self.folder}/munge{ending}" for word, ending in (("socket", ".sock"), ("pid-file", "d.pid"), ("log-file", "d.log"), ("seed-file", ".seed"))]
        self._daemon("munged", "--foreground", "--force", f"--key-file={key}", *own)
        end = time.monotonic() + patience
        while not (self.folder / "munge.sock").exists():
            if self.daemons[0].poll() is not None or time.monotonic() > end:
                return "munged does not start: " + self._end_of("munged.out")
            time.sleep(0.05)
        self._daemon("slurmctld", "-D", "-c", "-f", self.folder / "slurm.conf")
        self._daemon("slurmd", "-D", "-f", self.folder / "slurm.conf")
        while True:
            for daemon, name in zip(self.daemons, ("munged", "slurmctld", "slurmd")):
                if daemon.poll() is not None:
                    return f"{name} ends with {daemon.returncode}: {self._end_of(name + '.out')}"
            if self.state() == "idle":
                return ""
            if time.monotonic() > end:
                return f"the node is not idle after {patience} s: {self._end_of('slurmctld.log')}"
            time.sleep(0.1)

    def _daemon(self, name, *words):
        with (self.folder / f"{name}.out").open("wb") as out:
            self.daemons.append(subprocess.Popen([program(name), *words], stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.environment, start_new_session=True))

    def _end_of(self, name):
        path = self.folder / name
        return (path.read_text(errors="replace").strip().splitlines() or [""])[-1] if path.exists() else ""

    def call(self, name, *words):
        return subprocess.run([program(name), *map(str, words)], env=self.environment, capture_output=True, text=True, timeout=30, check=False)

    def state(self):
        """`idle`, `allocated`, `down`; with a sign behind it where it does not answer."""
        return self.call("sinfo", "-h", "-o", "%T").stdout.strip()

    def is_down(self):
        return self.state().startswith("down")

    def states(self, job):
        """Task -> state, of those that are not over; what waits as one line is counted as one."""
        lines = self.call("squeue", "-h", "-r", "-j", job, "-o", "%K %T").stdout.splitlines()
        return dict(line.split() for line in lines)

    def stop(self):
        self.call("scancel", "--quiet", "--user", str(os.getuid()))
        for daemon in reversed(self.daemons):
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
