import type { Response } from 'express';
import type { OpenedChallenge } from './wallet-challenges.js';

/** Sends a challenge as JSON to a page's script that requested it. */
export function sendChallenge(response: Response, { challengeId, message, expiresAt }: OpenedChallenge): void {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ challenge_id: challengeId, message, expires_at: expiresAt.toISOString() }));
}
