// A signer for `tasktree … --signer`: one question of EIP-1193 as JSON on standard input, its answer on standard output.
// WALLET_KEY is the key of a test's wallet, RPC_URL the node that it asks.
import { text } from 'node:stream/consumers';
import { JsonRpcProvider, Wallet } from 'ethers';

const provider = new JsonRpcProvider(process.env.RPC_URL);
const wallet = new Wallet(process.env.WALLET_KEY, provider);

async function answer({ method, params }) {
  if (method === 'eth_requestAccounts') return [wallet.address];
  if (method === 'eth_signTypedData_v4') {
    const { domain, types, message } = JSON.parse(params[1]);
    delete types.EIP712Domain;
    return wallet.signTypedData(domain, types, message);
  }
  if (method === 'eth_sendTransaction') {
    const [{ to, data }] = params;
    return (await wallet.sendTransaction({ to, data })).hash;
  }
  return provider.send(method, params);
}

process.stdout.write(JSON.stringify({ result: await answer(JSON.parse(await text(process.stdin))) }));
provider.destroy();
