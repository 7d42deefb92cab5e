import { isFree } from '../processes/free-port.js';
import type { MarketFolder } from './market-folder.js';
import { readPrivateJson, writePrivateJson } from './private-json.js';

/** Where programs and wallets of this machine look for a market's chain and health; null: not chosen yet. */
export interface LocalPorts {
  chain: number | null;
  health: number | null;
}

/** The ports of the folder's last start, each null when somebody else has it now or none is remembered. */
export async function rememberedPorts(folder: MarketFolder): Promise<LocalPorts> {
  const value = readPrivateJson(folder.ports);
  const members = new Map(Object.entries(typeof value === 'object' && value !== null ? value : {}));
  const [chain, health] = await Promise.all([usable(members.get('chain')), usable(members.get('health'))]);
  return { chain, health: health === chain ? null : health };
}

export function rememberPorts(folder: MarketFolder, ports: LocalPorts): void {
  writePrivateJson(folder.ports, ports);
}

async function usable(port: unknown): Promise<number | null> {
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 1023 && port <= 65_535;
  return isPort && (await isFree(port)) ? port : null;
}
