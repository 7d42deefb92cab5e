import { Module } from '@nestjs/common';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ArtifactDownloadController } from './artifact-download.controller.js';
import { ArtifactLinks } from './artifact-links.js';
import { ArtifactReceiver } from './artifact-receiver.guard.js';
import { ArtifactsController } from './artifacts.controller.js';
import { CustodyReceipts } from './custody-receipts.js';
import { Custody } from './custody.service.js';
import { DeliveryArtifactsController } from './delivery-artifacts.controller.js';
import { DeliveryArtifacts } from './delivery-artifacts.service.js';
import { UploadSlots } from './upload-slots.js';

@Module({
  imports: [StorageModule],
  controllers: [ArtifactsController, DeliveryArtifactsController, ArtifactDownloadController],
  providers: [Custody, CustodyReceipts, DeliveryArtifacts, ArtifactLinks, ArtifactReceiver, UploadSlots],
  exports: [Custody],
})
export class ArtifactsModule {}
