import { spawn } from 'node:child_process';
import type { Eip1193Wallet } from './actions/wallets.js';

/**
 * A wallet behind a command, such as a hardware wallet's or a key server's, so that no key is in this process. For each
 * question it is started with `{"method", "params"}` of EIP-1193 on its standard input, and answers with `{"result"}` or
 * `{"error": {"message"}}` on its standard output. It is asked `eth_requestAccounts`, `eth_signTypedData_v4`, and
 * `eth_sendTransaction` where it is to send.
 */
export function commandWallet(command: string, args: readonly string[] = []): Eip1193Wallet {
  return { request: (question) => answerOf(command, args, question) };
}

function answerOf(command: string, args: readonly string[], question: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
    child.once('error', reject);
    child.once('close', (code) => {
      try {
        if (code !== 0) throw new Error(`The wallet's command ended with ${code}`);
        resolve(resultOf(JSON.parse(text)));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    // A command that ends without reading is told of by its exit code.
    child.stdin.on('error', () => undefined).end(JSON.stringify(question));
  });
}

function resultOf(answer: unknown): unknown {
  const { result, error } = (answer ?? {}) as { result?: unknown; error?: { message?: unknown } };
  if (error !== undefined) throw new Error(`The wallet's command refuses: ${String(error.message)}`);
  return result;
}
