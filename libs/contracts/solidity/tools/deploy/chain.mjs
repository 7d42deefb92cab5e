// The chain as a deployment asks it: plain JSON-RPC, because a library's memory of earlier answers would hide the
// contract that has just been deployed.
const TIMEOUT_MS = 20_000;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/** A fault of the chain or its endpoint; the message is for the person at the terminal. */
export class ChainFault extends Error {}

/** Asks one endpoint. Its methods throw {@link ChainFault} when it does not answer or answers with an error. */
export class Chain {
  #url;

  /** @param {string} url http or https */
  constructor(url) {
    this.#url = url;
  }

  /** EIP-155 id. */
  async id() {
    return Number(await this.#ask('eth_chainId'));
  }

  /** Number of the newest block. */
  async head() {
    return Number(await this.#ask('eth_blockNumber'));
  }

  /** Code at an address in a block (the newest if none is given); `0x` if there is none. */
  codeAt(address, block) {
    return this.#ask('eth_getCode', address, block === undefined ? 'latest' : `0x${block.toString(16)}`);
  }

  /** The first block with code at the address; null when the endpoint does not keep states that old. */
  async firstBlockWithCode(address) {
    try {
      let [low, high] = [0, await this.head()];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        if ((await this.codeAt(address, middle)) === '0x') low = middle + 1;
        else high = middle;
      }
      return low;
    } catch {
      return null;
    }
  }

  /** Accounts that a chain on this machine signs for; none for a chain anywhere else. @returns {Promise<string[]>} */
  async ownAccounts() {
    if (!LOOPBACK_HOSTS.includes(new URL(this.#url).hostname)) return [];
    const accounts = await this.#result('eth_accounts', []).catch(() => []);
    return Array.isArray(accounts) ? accounts : [];
  }

  /** Has the chain sign and send a transaction of one of its own accounts; the hash. */
  send(transaction) {
    return this.#ask('eth_sendTransaction', transaction);
  }

  /** What became of a transaction; null while it waits. */
  receiptOf(hash) {
    return this.#result('eth_getTransactionReceipt', [hash]);
  }

  async #ask(method, ...params) {
    const result = await this.#result(method, params);
    if (typeof result !== 'string') throw new ChainFault(`The endpoint at --rpc answers ${method} with nonsense.`);
    return result;
  }

  async #result(method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) };
    let answer;
    try {
      answer = await (await fetch(this.#url, request)).json();
    } catch {
      throw new ChainFault('The endpoint at --rpc does not answer.');
    }
    if (answer.error !== undefined)
      throw new ChainFault(`The endpoint at --rpc refuses ${method}: ${answer.error.message}`);
    return answer.result;
  }
}
