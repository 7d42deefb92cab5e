import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CredentialUsage } from '../credential-usage.js';

/** Records when OAuth grants were last used. */
@Injectable()
export class GrantUsage extends CredentialUsage {
  constructor(dataSource: DataSource) {
    super(dataSource, 'oauth_grants');
  }
}
