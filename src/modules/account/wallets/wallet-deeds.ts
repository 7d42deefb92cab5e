import { markup } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { WalletProof } from '../../accounts/wallets/wallet-proof.js';
import type { Deed } from '../signed-in/confirm-step.js';

const PAGE = '/account/wallets';

/**
 * Describes adding a wallet that has just proved itself, for confirmation. @param proofId id of the challenge that the
 * wallet signed.
 */
export function addWallet({ address, chainId }: WalletProof, proofId: string): Deed {
  return {
    act: {
      name: 'add-wallet',
      parameters: { wallet: address, chain_id: chainId },
      words: `add the wallet ${address} to your account`,
    },
    wallet: address,
    title: 'Add a wallet: confirm',
    explanation: markup`The new wallet ${addressText(address)} has signed. From now on it could sign in to this account.`,
    path: `${PAGE}/link`,
    fields: { proof: proofId },
    button: 'Add the wallet',
    page: PAGE,
  };
}

/** Describes making another wallet the signing wallet, for confirmation. @param address EIP-55. */
export function useWallet(address: string): Deed {
  return {
    act: {
      name: 'use-wallet',
      parameters: { wallet: address },
      words: `let the wallet ${address} sign the actions of your account from now on, instead of this one`,
    },
    wallet: address,
    title: 'Change the signing wallet: confirm',
    explanation: markup`New actions will be prepared for the wallet ${addressText(address)}. Actions prepared before stay
with the present signing wallet.`,
    path: `${PAGE}/use`,
    fields: { address },
    button: 'Change the signing wallet',
    page: PAGE,
  };
}

/** Describes removing a wallet after 24 hours, for confirmation. @param address EIP-55. */
export function removeWallet(address: string): Deed {
  return {
    act: {
      name: 'remove-wallet',
      parameters: { wallet: address },
      words: `remove the wallet ${address} from your account after 24 hours`,
    },
    wallet: address,
    title: 'Remove a wallet: confirm',
    explanation: markup`The wallet ${addressText(address)} stays for 24 more hours. Then it no longer signs in here, and
browsers that it signed in are signed out. Until then you or that wallet can undo this.`,
    path: `${PAGE}/unlink`,
    fields: { address },
    button: 'Remove the wallet in 24 hours',
    page: PAGE,
  };
}

/**
 * Describes keeping a wallet that was to be removed, for confirmation by that wallet or by the signing wallet. @param
 * address EIP-55.
 */
export function keepWallet(address: string): Deed {
  return {
    act: {
      name: 'keep-wallet',
      parameters: { wallet: address },
      words: `keep the wallet ${address} in your account`,
    },
    wallet: address,
    orBy: address,
    title: 'Keep a wallet: confirm',
    explanation: markup`The wallet ${addressText(address)} will stay in your account.`,
    path: `${PAGE}/keep`,
    fields: { address },
    button: 'Keep the wallet',
    page: PAGE,
  };
}
