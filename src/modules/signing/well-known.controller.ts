import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Environment } from '../../platform/config/environment.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { asset, type AssetName, assetPath } from '../../platform/pages/assets/assets.js';
import { publicPath } from '../../platform/pages/assets/public-path.js';
import { ApprovalDeployments } from './approval-deployment.js';

/** Files that the pages below `/sign/` load in a deployed service. */
const ASSETS: readonly AssetName[] = ['approval.css', 'approval.js', 'style.css', 'wallet-sign-in.js'];

/** Public facts about the approval pages: their address, their contracts and the hashes of their files. */
@ApiExcludeController()
@Controller({ path: '.well-known', version: VERSION_NEUTRAL })
export class WellKnownController {
  constructor(
    private readonly environment: Environment,
    private readonly deployments: ApprovalDeployments,
  ) {}

  /** Lets operators watch that the files are unchanged. */
  @Get('signing-page.json')
  @Public('hashes of public files')
  describeSigningPage(): object {
    const { baseUrl } = this.environment;
    return {
      origin: new URL(baseUrl).origin,
      assets: ASSETS.map((name) => ({ name, path: assetPath(baseUrl, name), integrity: asset(name).integrity })),
    };
  }

  /** Clients that verify actions pin these values before their first action. */
  @Get('tasktree-configuration')
  @Public('addresses of public contracts')
  describeDeployment(): object {
    const { chainId, factory, implementation, usdc, usdcName, usdcVersion, maxActionSeconds, signingOrigin } =
      this.deployments.pinned;
    return {
      signing_origin: signingOrigin,
      signing_path: publicPath(this.environment.baseUrl, '/sign/'),
      chain_id: chainId,
      chain_name: this.deployments.shown.chainName,
      escrow_factory_address: factory,
      escrow_implementation_address: implementation,
      usdc_address: usdc,
      usdc_domain: { name: usdcName, version: usdcVersion },
      max_action_seconds: maxActionSeconds,
    };
  }
}
