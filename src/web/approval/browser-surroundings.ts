import { discoverWallets } from '../wallets/discovery.js';
import type { Surroundings } from './ports.js';

/** The browser that the page is open in. */
export function browserSurroundings(window: Window): Surroundings {
  const { performance, navigator, document, location } = window;
  return {
    elapsedMs: () => performance.now(),
    computerTimeMs: () => performance.timeOrigin + performance.now(),
    isOnline: () => navigator.onLine,
    onOnlineChange: (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
    },
    onReturn: (listener) => {
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') listener();
      });
      // A page that the back button brings from memory is as it was left, so it must be read anew.
      window.addEventListener('pageshow', ({ persisted }) => {
        if (persisted) listener();
      });
    },
    every: (ms, run) => {
      window.setInterval(() => {
        if (document.visibilityState === 'visible') run();
      }, ms);
    },
    after: (ms, run) => {
      const timer = window.setTimeout(run, ms);
      return () => window.clearTimeout(timer);
    },
    discover: (offer, onEnd) => discoverWallets(window, offer, onEnd),
    open: (url) => {
      // The address comes from an answer, so only one of this site is opened.
      if (new URL(url, location.href).origin === location.origin) location.assign(url);
    },
  };
}
