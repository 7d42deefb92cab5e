// A signer for `tasktree … --signer`: one question of EIP-1193 as JSON on standard input, its answer on standard output.
// WALLET_ADDRESS and WALLET_KEY are those of a test's wallet, RPC_URL is the node that it asks. It is started for each
// question, so it reads ethers only where it needs it.
import { text } from 'node:stream/consumers';

const { WALLET_ADDRESS, WALLET_KEY, RPC_URL } = process.env;

async function answer({ method, params }) {
  if (method === 'eth_requestAccounts') return [WALLET_ADDRESS];
  if (method === 'eth_signTypedData_v4') {
    const { Wallet } = await import('ethers');
    const { domain, types, message } = JSON.parse(params[1]);
    delete types.EIP712Domain;
    return new Wallet(WALLET_KEY).signTypedData(domain, types, message);
  }
  if (method === 'eth_sendTransaction') {
    const { JsonRpcProvider, Wallet } = await import('ethers');
    const provider = new JsonRpcProvider(RPC_URL);
    const [{ to, data }] = params;
    const { hash } = await new Wallet(WALLET_KEY, provider).sendTransaction({ to, data });
    provider.destroy();
    return hash;
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(RPC_URL, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return (await response.json()).result;
}

process.stdout.write(JSON.stringify({ result: await answer(JSON.parse(await text(process.stdin))) }));
