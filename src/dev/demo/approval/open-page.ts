import { spawn } from 'node:child_process';

/** Opens the address in the person's browser. Returns false on a machine without a screen. */
export function openPage(url: string): boolean {
  const command = commandOf(process.platform, Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY));
  if (command === null) return false;
  const [program, ...args] = command;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  // Without such a program the person opens the address by hand.
  child.on('error', () => undefined);
  child.unref();
  return true;
}

function commandOf(platform: NodeJS.Platform, hasScreen: boolean): [string, ...string[]] | null {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['explorer'];
  return hasScreen ? ['xdg-open'] : null;
}
