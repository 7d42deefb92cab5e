import { Body, Controller, UseGuards } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { LateAdmission } from '../credentials/lasting/late-admission.js';
import { RequireScope } from '../credentials/scope.js';
import { ArtifactUploadGuard } from './upload/artifact-upload.guard.js';
import { Custody } from './custody/custody.service.js';
import { ArtifactCustodyDto } from './dto/artifact-custody.dto.js';
import { ReceivedArtifact } from './custody/received-artifact.js';

@ApiTags('deliveries')
@Controller({ path: 'artifacts', version: '1' })
export class ArtifactsController {
  constructor(
    private readonly admission: LateAdmission,
    private readonly custody: Custody,
  ) {}

  @WriteOperation({
    method: 'PUT',
    path: ':artifact_hash',
    body: 'bytes',
    response: ArtifactCustodyDto,
    summary: 'Bring an artifact into custody',
    description:
      'The body is the artifact itself, of any media type and without a content encoding. Refused with `invalid_body`, ' +
      'and nothing kept, unless the SHA-256 of the body is the `artifact_hash` of the path. What no delivery needs is ' +
      'deleted after `kept_until`, and an account has only so much of it: beyond that `quota_exceeded`. Anybody can try ' +
      'texts that are easy to guess against the hash: put a file of random bytes into the artifact.',
  })
  @ApiParam({
    name: 'artifact_hash',
    schema: { type: 'string', pattern: '^0x[a-fA-F0-9]{64}$' },
    description: 'SHA-256 of the bytes.',
  })
  @RequireScope('worker')
  @UseGuards(ArtifactUploadGuard)
  async uploadArtifact(
    @CurrentPrincipal() principal: Principal,
    @Body() artifact: ReceivedArtifact,
  ): Promise<ArtifactCustodyDto> {
    const { artifactHash, bytes } = artifact;
    await this.admission.require(principal);
    const { receipt, keptUntil } = await this.custody.take(principal.accountId, artifact);
    return { artifact_hash: artifactHash, custody_receipt: receipt, bytes, kept_until: keptUntil.toISOString() };
  }
}
