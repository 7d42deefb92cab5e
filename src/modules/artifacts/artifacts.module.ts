import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { ArtifactDownloadController } from './download/artifact-download.controller.js';
import { ArtifactLinks } from './download/artifact-links.js';
import { ArtifactUploadGuard } from './upload/artifact-upload.guard.js';
import { ArtifactsController } from './artifacts.controller.js';
import { CustodyReceipts } from './custody/custody-receipts.js';
import { CustodyQuota } from './custody/custody-quota.js';
import { Custody } from './custody/custody.service.js';
import { CustodySweeper } from './custody/custody.sweeper.js';
import { UnheldObjectsSweeper } from './custody/unheld-objects.sweeper.js';
import { DeliveryArtifactsController } from './download/delivery-artifacts.controller.js';
import { DeliveryArtifacts } from './download/delivery-artifacts.service.js';
import { DownloadLimit } from './download/download-limit.js';
import { LinkOpenings } from './download/link-openings.js';
import { UploadSlots } from './upload/upload-slots.js';

@Module({
  imports: [CredentialsModule, StorageModule, RateLimitModule],
  controllers: [ArtifactsController, DeliveryArtifactsController, ArtifactDownloadController],
  providers: [
    Custody,
    CustodyQuota,
    CustodySweeper,
    CustodyReceipts,
    DownloadLimit,
    LinkOpenings,
    DeliveryArtifacts,
    ArtifactLinks,
    ArtifactUploadGuard,
    UnheldObjectsSweeper,
    UploadSlots,
  ],
  exports: [Custody, LinkOpenings],
})
export class ArtifactsModule {}
