import type { Request, Response } from 'express';
import { publicPath } from '../../../platform/pages/assets/public-path.js';

/** What was done, in words. The address of the page holds the code only, so that no link puts words into our mouth. */
const NOTICES = {
  'app-revoked': 'The application is disconnected. Its access has stopped.',
  'key-revoked': 'The key is revoked. It no longer works.',
  'wallet-linked': 'The wallet is added. You can sign in with it now.',
  'wallet-leaving': 'The wallet will be removed in 24 hours. Until then you can keep it.',
  'wallet-kept': 'The wallet stays.',
  'wallet-used': 'The signing wallet is changed. New actions are prepared for it.',
  'session-ended': 'The session is ended. That browser is signed out.',
  'others-ended': 'All other sessions are ended. Only this browser is still signed in.',
  'signed-out': 'You are signed out.',
} as const;

export type NoticeCode = keyof typeof NOTICES;

/** What the address of the page says was done; null for any other text. */
export function noticeOf({ query }: Request): string | null {
  const { notice } = query;
  return typeof notice === 'string' && isNotice(notice) ? NOTICES[notice] : null;
}

/** 303 to a page of ours, so that a reload does nothing again. */
export function redirectTo(response: Response, baseUrl: string, path: string, notice?: NoticeCode): void {
  response.redirect(303, publicPath(baseUrl, notice === undefined ? path : `${path}?notice=${notice}`));
}

function isNotice(text: string): text is NoticeCode {
  return Object.hasOwn(NOTICES, text);
}
