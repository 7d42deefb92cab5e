import { Module } from '@nestjs/common';
import { HealthConnection } from './health-connection.js';
import { HealthProbes } from './health-probes.js';
import { ManagementServer } from './management-server.js';

@Module({ providers: [HealthConnection, HealthProbes, ManagementServer], exports: [ManagementServer] })
export class HealthModule {}
