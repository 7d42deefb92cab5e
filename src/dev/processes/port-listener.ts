import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** State "listening" in /proc/net/tcp. */
const LISTENING = '0A';

/**
 * Names the program that listens on a TCP port: "node (pid 812)", or "another program" when this user cannot find out.
 */
export function listenerOf(port: number): string {
  try {
    const inodes = listeningSockets(port);
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (holdsSocket(pid, inodes)) return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (pid ${pid})`;
    }
  } catch {
    // Not Linux, or /proc is closed: the port alone has to do.
  }
  return 'another program';
}

function listeningSockets(port: number): Set<string> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readTable(table)) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (state === LISTENING && local.endsWith(`:${hexPort}`)) inodes.add(`socket:[${inode}]`);
    }
  }
  return inodes;
}

function readTable(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(1);
  } catch {
    return [];
  }
}

function holdsSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((fd) => inodes.has(linkTarget(`${folder}/${fd}`)));
  } catch {
    return false;
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
