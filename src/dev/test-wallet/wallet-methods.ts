import { getBytes, isHexString, JsonRpcProvider, Network, toUtf8String, TypedDataEncoder, Wallet } from 'ethers';
import { LOCAL_CHAIN_ID } from '../local-chain/anvil.js';
import type { LocalAccount } from '../market-folder/local-file.js';

/** An error as EIP-1193 has it. */
export class WalletRefusal extends Error {
  override readonly name = 'WalletRefusal';

  constructor(
    /** EIP-1193 and EIP-1474. */
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const CHAIN_ID_HEX = `0x${LOCAL_CHAIN_ID.toString(16)}`;
const INVALID_PARAMETERS = -32_602;
const UNAUTHORIZED = 4100;
const UNSUPPORTED_METHOD = 4200;
const UNKNOWN_CHAIN = 4902;
/** Read methods, which go to the chain's node unchanged. */
const READS = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
]);

/**
 * Answers a page's wallet requests with the keys of the local market's people. The person confirms each in the page.
 */
export class WalletMethods {
  private readonly provider: JsonRpcProvider;

  /** @param people called for every request, because the sample market is made while the service already runs. */
  constructor(
    rpcUrl: string,
    private readonly people: () => readonly LocalAccount[],
  ) {
    const network = Network.from(LOCAL_CHAIN_ID);
    this.provider = new JsonRpcProvider(rpcUrl, network, {
      staticNetwork: network,
      cacheTimeout: -1,
      batchMaxCount: 1,
    });
  }

  close(): void {
    this.provider.destroy();
  }

  /** Answers one wallet request. @throws WalletRefusal, or the error of the chain's node. */
  async answer(method: string, params: readonly unknown[]): Promise<unknown> {
    if (READS.has(method)) return this.provider.send(method, [...params]);
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return this.people().map(({ wallet_address: address }) => address);
      case 'test_people':
        return this.people().map(({ name, wallet_address: address }) => ({ name, address }));
      case 'eth_chainId':
        return CHAIN_ID_HEX;
      case 'wallet_switchEthereumChain':
        return switched(params[0]);
      case 'personal_sign':
        return this.walletOf(params[1]).signMessage(messageOf(params[0]));
      case 'eth_signTypedData_v4':
        return signTypedData(this.walletOf(params[0]), params[1]);
      case 'eth_sendTransaction':
        return this.send(params[0]);
      default:
        throw new WalletRefusal(UNSUPPORTED_METHOD, `The test wallet does not know ${method}.`);
    }
  }

  private async send(call: unknown): Promise<string> {
    const { from, to, data, value } = membersOf(call, 'The transaction');
    const wallet = this.walletOf(from).connect(this.provider);
    const sent = await wallet.sendTransaction({
      to: textOf(to),
      data: textOf(data ?? '0x'),
      value: textOf(value ?? '0x0'),
    });
    return sent.hash;
  }

  private walletOf(address: unknown): Wallet {
    const wanted = textOf(address).toLowerCase();
    const owner = this.people().find(({ wallet_address: known }) => known.toLowerCase() === wanted);
    if (!owner) throw new WalletRefusal(UNAUTHORIZED, 'The test wallet has no key for this address.');
    return new Wallet(owner.wallet_private_key);
  }
}

function switched(parameter: unknown): null {
  if (membersOf(parameter, 'The network')['chainId'] === CHAIN_ID_HEX) return null;
  throw new WalletRefusal(UNKNOWN_CHAIN, 'The test wallet knows the local chain alone.');
}

/** Decodes hex bytes that are UTF-8 text, as wallets do; other bytes are signed as bytes. */
function messageOf(message: unknown): string | Uint8Array {
  const text = textOf(message);
  if (!isHexString(text)) return text;
  try {
    return toUtf8String(text);
  } catch {
    return getBytes(text);
  }
}

async function signTypedData(wallet: Wallet, parameter: unknown): Promise<string> {
  const data = membersOf(typeof parameter === 'string' ? parsed(parameter) : parameter, 'The typed data');
  const domain = membersOf(data['domain'], 'The domain');
  const message = membersOf(data['message'], 'The message');
  if (Number(domain['chainId']) !== LOCAL_CHAIN_ID) {
    throw new WalletRefusal(INVALID_PARAMETERS, `The typed data is for another chain than ${LOCAL_CHAIN_ID}.`);
  }
  const { EIP712Domain: _, ...structs } = structsOf(data['types']);
  if (TypedDataEncoder.getPrimaryType(structs) !== data['primaryType']) {
    throw new WalletRefusal(INVALID_PARAMETERS, 'The typed data holds structs that its primary type does not.');
  }
  return wallet.signTypedData(domain, structs, message);
}

type Structs = Record<string, { name: string; type: string }[]>;

function structsOf(value: unknown): Structs {
  const named = Object.entries(membersOf(value, 'The types')).map(([name, fields]): [string, Structs[string]] => {
    if (!Array.isArray(fields)) throw new WalletRefusal(INVALID_PARAMETERS, `The type ${name} is no list of members.`);
    const members: unknown[] = fields;
    return [name, members.map((field) => fieldOf(field))];
  });
  return Object.fromEntries(named);
}

function fieldOf(value: unknown): { name: string; type: string } {
  const { name, type } = membersOf(value, 'A member of a type');
  return { name: textOf(name), type: textOf(type) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WalletRefusal(INVALID_PARAMETERS, 'The typed data is not JSON.');
  }
}

function membersOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new WalletRefusal(INVALID_PARAMETERS, `${what} is not an object.`);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new WalletRefusal(INVALID_PARAMETERS, 'There is something that is not text where it has to be.');
}
