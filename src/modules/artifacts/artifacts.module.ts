import { Module } from '@nestjs/common';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ArtifactDownloadController } from './artifact-download.controller.js';
import { ArtifactLinks } from './artifact-links.js';
import { ArtifactUploadGuard } from './artifact-upload.guard.js';
import { ArtifactsController } from './artifacts.controller.js';
import { CustodyReceipts } from './custody-receipts.js';
import { CustodyQuota } from './custody-quota.js';
import { Custody } from './custody.service.js';
import { CustodySweeper } from './custody.sweeper.js';
import { DeliveryArtifactsController } from './delivery-artifacts.controller.js';
import { DeliveryArtifacts } from './delivery-artifacts.service.js';
import { DownloadLimit } from './download-limit.js';
import { UploadSlots } from './upload-slots.js';

@Module({
  imports: [StorageModule, RateLimitModule],
  controllers: [ArtifactsController, DeliveryArtifactsController, ArtifactDownloadController],
  providers: [
    Custody,
    CustodyQuota,
    CustodySweeper,
    CustodyReceipts,
    DownloadLimit,
    DeliveryArtifacts,
    ArtifactLinks,
    ArtifactUploadGuard,
    UploadSlots,
  ],
  exports: [Custody, DownloadLimit],
})
export class ArtifactsModule {}
