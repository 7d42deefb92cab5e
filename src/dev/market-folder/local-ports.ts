import { isFree } from '../processes/free-port.js';
import type { MarketFolder } from './market-folder.js';
import { readPrivateJson, writePrivateJson } from './private-json.js';

/**
 * Ports of a market's chain and health endpoint, to be kept for programs and wallets on this machine; null: not chosen
 * yet.
 */
export interface LocalPorts {
  chain: number | null;
  health: number | null;
}

/** The ports of the folder's last start; null for a port that is in use now or was not saved. */
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
