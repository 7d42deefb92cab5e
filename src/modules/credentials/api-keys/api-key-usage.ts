import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CredentialUsage } from '../credential-usage.js';

/** Records when API keys were last used. */
@Injectable()
export class ApiKeyUsage extends CredentialUsage {
  constructor(dataSource: DataSource) {
    super(dataSource, 'api_keys');
  }
}
