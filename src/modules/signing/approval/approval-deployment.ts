import { Injectable } from '@nestjs/common';
import type { Deployment } from '#libs/prepared-action';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { knownChain } from '../../../platform/chain/known-chains.js';
import { Environment, LOCAL_CHAIN_ID } from '../../../platform/config/environment.js';
import type { ApprovalDeployment } from '#libs/approval-wire';

/** The values of this deployment that verifiers pin before they see any action. */
@Injectable()
export class ApprovalDeployments {
  constructor(
    private readonly environment: Environment,
    private readonly config: ChainConfig,
  ) {}

  get pinned(): Deployment {
    const { chainId, actionTtlSeconds, baseUrl } = this.environment;
    const { factoryAddress, implementationAddress, usdcAddress, usdcDomain } = this.config;
    return {
      chainId,
      factory: factoryAddress,
      implementation: implementationAddress,
      usdc: usdcAddress,
      usdcName: usdcDomain.name,
      usdcVersion: usdcDomain.version,
      maxActionSeconds: actionTtlSeconds,
      signingOrigin: new URL(baseUrl).origin,
    };
  }

  get shown(): ApprovalDeployment {
    const { chainId, explorerTransactionUrl, rpcUrl } = this.environment;
    const chain = knownChain(chainId);
    return {
      ...this.pinned,
      chainName: chain.name,
      isTestNetwork: chain.isTestNetwork,
      explorerTransactionUrl: explorerTransactionUrl ?? chain.explorerTransactionUrl,
      // Only the endpoint of a development chain may be shown; any other may contain a key.
      rpcUrlForWallet: chainId === LOCAL_CHAIN_ID ? rpcUrl : chain.publicRpcUrl,
      nativeCurrency: chain.nativeCurrency,
    };
  }
}
