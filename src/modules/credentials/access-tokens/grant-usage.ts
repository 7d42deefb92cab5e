import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CredentialUsage } from '../credential-usage.js';

/** When applications last used what a person allowed them. */
@Injectable()
export class GrantUsage extends CredentialUsage {
  constructor(dataSource: DataSource) {
    super(dataSource, 'oauth_grants');
  }
}
