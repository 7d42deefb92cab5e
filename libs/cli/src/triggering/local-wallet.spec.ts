import { verifyTypedData, Wallet } from 'ethers';
import { signable } from '../../../../test/support/signable-actions.js';
import { localWallet } from './local-wallet.js';

it('signs as any wallet does, however often', async () => {
  const { address, privateKey } = Wallet.createRandom();
  const { domain, types, message, primaryType } = signable('fund_task').action.payload as any;
  const { EIP712Domain: _domain, ...structs } = types;
  const wallet = localWallet(address, privateKey, async () => undefined);
  const params = [address, JSON.stringify({ domain, types, message, primaryType })];
  for (let at = 0; at < 50; at += 1) {
    const signature = (await wallet.request({ method: 'eth_signTypedData_v4', params })) as string;
    // Refuses one in the upper half.
    expect(verifyTypedData(domain, structs, message, signature)).toBe(address);
  }
});
