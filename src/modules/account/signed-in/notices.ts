import type { Request, Response } from 'express';
import { publicPath } from '../../../platform/pages/assets/public-path.js';

/**
 * Sentences about what was done. The page's address holds only the code, so that no link can make a page show a text of
 * its own.
 */
const NOTICES = {
  'app-revoked': 'The application is disconnected. Its access has stopped.',
  'limits-lowered': 'The new limits hold from now on.',
  'key-revoked': 'The key is revoked. It no longer works.',
  'webhook-changed': 'The endpoint is changed.',
  'webhook-on': 'The endpoint is on. It gets what happens from now on.',
  'webhook-caught-up': 'The endpoint is on. We are sending what it missed.',
  'webhook-off': 'The endpoint is off. It gets nothing until it is turned on.',
  'webhook-deleted': 'The endpoint is deleted. We send nothing more to it.',
  'webhook-tested': 'A test event is on its way. Reload this page in a moment to see how it went.',
  'webhook-replayed': 'We are sending again. Reload this page in a moment to see how it went.',
  'webhook-none-failed': 'Nothing has failed, so there is nothing to send again.',
  'wallet-linked': 'The wallet is added. You can sign in with it now.',
  'wallet-leaving': 'The wallet will be removed in 24 hours. Until then you can keep it.',
  'wallet-kept': 'The wallet stays.',
  'wallet-used': 'The signing wallet is changed. New actions are prepared for it.',
  'session-ended': 'The session is ended. That browser is signed out.',
  'others-ended': 'All other sessions are ended. Only this browser is still signed in.',
  'signed-out': 'You are signed out.',
} as const;

export type NoticeCode = keyof typeof NOTICES;

/** The notice that the page's address names; null for none or an unknown code. */
export function noticeOf({ query }: Request): string | null {
  const { notice } = query;
  return typeof notice === 'string' && isNotice(notice) ? NOTICES[notice] : null;
}

/** Redirects (303) to a page of this service, so that a reload does not send the form again. */
export function redirectTo(response: Response, baseUrl: string, path: string, notice?: NoticeCode): void {
  response.redirect(303, publicPath(baseUrl, notice === undefined ? path : `${path}?notice=${notice}`));
}

function isNotice(text: string): text is NoticeCode {
  return Object.hasOwn(NOTICES, text);
}
