import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { expectedMoney } from './expected-money.js';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ESCROW = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

function moneyOf(primaryType: string, message: object, details: object = {}) {
  const payload = { primaryType, message };
  return expectedMoney({
    walletAddress: WALLET,
    escrowAddress: ESCROW,
    payload,
    details,
  } as unknown as PreparedActionEntity);
}

describe('the money that the typed data of an action moves', () => {
  it('goes from the wallet to the escrow with the token’s own payments', () => {
    const paid = { from: WALLET, to: ESCROW, amount: 5n };
    expect(moneyOf('ReceiveWithAuthorization', { from: WALLET, to: ESCROW, value: '5' })).toEqual(paid);
    expect(moneyOf('Permit', { owner: WALLET, spender: ESCROW, value: '5' })).toEqual(paid);
  });

  it("goes from the wallet with an allowance, but not when the escrow's own balance pays", () => {
    const terms = { amount: '7' };
    const paid = { from: WALLET, to: ESCROW, amount: 7n };
    expect(moneyOf('FundTask', { terms }, { funding_mode: 'allowance' })).toEqual(paid);
    expect(moneyOf('Subcontract', { terms }, { funding_mode: 'allowance' })).toEqual(paid);
    expect(moneyOf('FundTask', { terms }, { funding_mode: 'refund_balance' })).toBeNull();
    expect(moneyOf('Subcontract', { terms }, { funding_mode: 'parent_node' })).toBeNull();
  });

  it('comes out of the escrow to the recipient, who need not be the wallet', () => {
    const paid = { from: ESCROW, to: OTHER, amount: 9n };
    expect(moneyOf('WithdrawEarnings', { recipient: OTHER, amount: '9' })).toEqual(paid);
    expect(moneyOf('WithdrawRefund', { recipient: OTHER, amount: '9' })).toEqual(paid);
  });

  it('is none for everything else', () => {
    for (const type of ['CreateTask', 'SubmitQuote', 'SelectAgent', 'Deliver', 'ResolveTask', 'AbandonNode', 'Other']) {
      expect(moneyOf(type, { amount: '1' })).toBeNull();
    }
  });
});
