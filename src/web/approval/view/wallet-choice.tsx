import type { Wallet } from '../../wallets/discovery.js';

/** A button for each wallet of this browser. Its name and its picture are the wallet's own words. */
export function WalletChoice({
  wallets,
  onChoose,
}: {
  wallets: readonly Wallet[];
  onChoose: (wallet: Wallet) => void;
}) {
  return (
    <ul class="choices">
      {wallets.map((wallet) => (
        <li key={wallet.key}>
          <button type="button" onClick={() => onChoose(wallet)}>
            {wallet.icon !== null && <img src={wallet.icon} alt="" width={24} height={24} />}
            <bdi>{wallet.name}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
