import { Interface } from 'ethers';
import { encodeAbandonNode, encodeFinalize, encodeMulticall, senderAuth, taskEscrowAbi } from '#libs/contracts';
import { childPath, EMPTY_REQUEST_DIGEST, type Hex } from '#libs/kernel';
import { RpcRefusal } from '../../../platform/chain/rpc/rpc-endpoint.js';
import { ChainSimulation } from '../../../platform/chain/simulation.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { unwrittenDetails } from '../../prepared-actions/money/pending-finalizations.js';
import { ApprovalSimulations } from './approval-simulations.js';

const ESCROW: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const WALLET: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const BELOW = [childPath(1n, 2), childPath(1n, 3)];

/** The worker gives a node up, after two below it are finalized in the same transaction. */
function abandonment(): PreparedActionEntity {
  const fields = { actionId: EMPTY_REQUEST_DIGEST, requestDigest: EMPTY_REQUEST_DIGEST, nonce: 256n, validUntil: 9n };
  const data = encodeMulticall([...BELOW.map(encodeFinalize), encodeAbandonNode(1n, senderAuth(fields))]);
  const payload = { primaryType: 'AbandonNode', message: {}, transaction: { to: ESCROW, data, value: '0x0' } };
  const details = unwrittenDetails(BELOW);
  const own = { kind: 'abandon_node', walletAddress: WALLET, escrowAddress: ESCROW, payload, details };
  return own as unknown as PreparedActionEntity;
}

/** The log by which an escrow says that it left a member of a batch out. */
function skipped(index: number, address: string = ESCROW): object {
  const escrow = new Interface(taskEscrowAbi);
  const reason = escrow.encodeErrorResult('LiveAllocations', [5n]);
  return { address, ...escrow.encodeEventLog('CallSkipped', [index, reason]) };
}

/** What a page is told when the endpoint traces the batch to these logs; null: it cannot trace. */
async function told(logs: readonly object[] | null) {
  const endpoint = {
    send: async () => '0x1',
    sendForeign: async (_owner: string, method: string) => {
      if (logs === null) throw new RpcRefusal(method, { code: -32_601 });
      return [{ calls: [{ status: '0x1', gasUsed: '0x5208', logs }] }];
    },
  };
  const chain = { blockNumber: async () => 7, rawCall: async () => ({ reverted: false, data: '0x' }) };
  const config = { usdcAddress: STRANGER };
  const simulation = new ChainSimulation(
    ...([endpoint, chain, config] as unknown as ConstructorParameters<typeof ChainSimulation>),
  );
  const actions = { present: async () => ({ status: 'prepared' }) };
  const parts = [simulation, chain, config, actions] as unknown as ConstructorParameters<typeof ApprovalSimulations>;
  return new ApprovalSimulations(...parts).simulate(abandonment());
}

describe('a batch that finalizes others first', () => {
  it('is shown with its gas where the action itself goes through, also when somebody has finalized one already', async () => {
    for (const logs of [[], [skipped(0)], [skipped(0), skipped(1)]]) {
      expect(await told(logs)).toMatchObject({ source: 'eth_simulateV1', would_revert: null, gas: { units: '21000' } });
    }
  });

  it('is told to fail where the action would be left out, although the batch goes through', async () => {
    expect(await told([skipped(2)])).toEqual({
      source: 'eth_simulateV1',
      balances: [],
      would_revert: { reason: expect.stringContaining('the action itself would fail') },
      gas: null,
      block: 7,
    });
  });

  it('is not judged by what a stranger says in the name of an escrow', async () => {
    expect(await told([skipped(2, STRANGER)])).toMatchObject({ would_revert: null });
  });

  it('says nothing where the endpoint cannot trace: the batch goes through in any case', async () => {
    expect(await told(null)).toMatchObject({ source: 'unavailable', would_revert: null, block: 7 });
  });
});
