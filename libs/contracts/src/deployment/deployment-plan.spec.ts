import { taskEscrowImmutables, taskEscrowRuntime } from '../generated/task-escrow.js';
import { deployedCode } from './deployed-code.js';
import { CREATE2_DEPLOYER, deploymentPlan } from './deployment-plan.js';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const OTHER = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

describe('the plan of a deployment', () => {
  const plan = deploymentPlan(USDC);

  test('is the same whenever it is made, in whichever case the token is written', () => {
    expect(deploymentPlan(USDC.toLowerCase())).toEqual(plan);
    expect(plan.usdc).toBe(USDC);
    expect(plan.transaction.to).toBe(CREATE2_DEPLOYER);
  });

  test('gives other addresses for another token', () => {
    const other = deploymentPlan(OTHER);
    expect(other.factory).not.toBe(plan.factory);
    expect(other.implementation).not.toBe(plan.implementation);
  });

  test.each(['', '0x1234', USDC.replace('d', 'D'), 'tasktree.eth'])('is not made for %p', (token) => {
    expect(() => deploymentPlan(token)).toThrow(TypeError);
  });
});

describe('the code of a deployment', () => {
  const { factory, implementation } = deploymentPlan(USDC);

  test.each(['factory', 'implementation', 'token'] as const)('depends on the address of the %s', (part) => {
    const addresses = { factory, implementation, token: USDC };
    const changed = deployedCode({ ...addresses, [part]: OTHER });
    expect(changed.implementation).not.toBe(deployedCode(addresses).implementation);
  });

  test('has as many bytes as the compiled one, and the token in each of its gaps', () => {
    const { implementation: code } = deployedCode({ factory, implementation, token: USDC });
    expect(code).toHaveLength(taskEscrowRuntime.length);
    const words = taskEscrowImmutables.token.map((start) => code.slice(2 + 2 * start, 2 + 2 * start + 64));
    expect(new Set(words)).toEqual(new Set([USDC.slice(2).toLowerCase().padStart(64, '0')]));
  });
});
