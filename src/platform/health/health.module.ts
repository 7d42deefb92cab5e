import { Module } from '@nestjs/common';
import { HealthProbes } from './health-probes.js';
import { ManagementServer } from './management-server.js';

@Module({ providers: [HealthProbes, ManagementServer], exports: [ManagementServer] })
export class HealthModule {}
