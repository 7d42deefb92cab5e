import { Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { DiskObjectStore } from './disk-object-store.js';
import { ObjectStore } from './object-store.js';
import { StagedSweeper } from './staged.sweeper.js';

/** Where the artifacts are: in the bucket that the configuration names, else in its folder. */
@Module({
  providers: [{ provide: ObjectStore, useFactory: configuredStore, inject: [Environment] }, StagedSweeper],
  exports: [ObjectStore],
})
export class StorageModule {}

async function configuredStore(environment: Environment): Promise<ObjectStore> {
  const { artifactS3Bucket, artifactDir } = environment;
  if (artifactS3Bucket === null) return new DiskObjectStore(artifactDir);
  // Loaded by need: the SDK is large, and most services have a disk.
  const { S3ObjectStore } = await import('./s3-object-store.js');
  return new S3ObjectStore(artifactS3Bucket, environment);
}
