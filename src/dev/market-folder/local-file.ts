import { existsSync } from 'node:fs';
import type { Scope } from '../../modules/credentials/scope.js';
import { LocalFault } from '../processes/local-fault.js';
import type { MarketFolder } from './market-folder.js';
import { readPrivateJson, writePrivateJson } from './private-json.js';

export interface LocalAccount {
  name: string;
  account_id: string;
  wallet_address: string;
  /** Stored only in this file, and of use only on chain 31337. */
  wallet_private_key: string;
  /** API keys, one per scope. */
  keys: Record<Scope, string>;
  agents: { id: string; name: string }[];
}

export interface LocalTask {
  id: string;
  title: string;
  status: string;
  escrow_address: string;
  /** `worker_account` is the account id of the worker's owner. */
  nodes: { id: string; state: string; worker_account: string }[];
}

/** `.tasktree/local.json`: what a person or a program needs to use the running local market. */
export interface LocalFile {
  base_url: string;
  management_url: string;
  rpc_url: string;
  chain_id: number;
  usdc_address: string;
  escrow_factory_address: string;
  database_url: string;
  accounts: LocalAccount[];
  tasks: LocalTask[];
}

/** Writes the file, readable for its owner only. */
export function writeLocalFile(folder: MarketFolder, file: LocalFile): void {
  writePrivateJson(folder.localFile, file);
}

/** The file of an earlier start, or null when there is none. Throws LocalFault when it is damaged. */
export function readLocalFile(folder: MarketFolder): LocalFile | null {
  if (!existsSync(folder.localFile)) return null;
  const value = readPrivateJson(folder.localFile);
  if (isLocalFile(value)) return value;
  throw new LocalFault(
    `${folder.localFile} is damaged, and with it the keys of this market. Begin with an empty one: \`${folder.reset}\`.`,
  );
}

const TEXTS = [
  'base_url',
  'management_url',
  'rpc_url',
  'usdc_address',
  'escrow_factory_address',
  'database_url',
] as const;

function isLocalFile(value: unknown): value is LocalFile {
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map(Object.entries(value));
  return (
    TEXTS.every((name) => typeof members.get(name) === 'string') &&
    Array.isArray(members.get('accounts')) &&
    members.get('accounts').length > 0 &&
    Array.isArray(members.get('tasks'))
  );
}
