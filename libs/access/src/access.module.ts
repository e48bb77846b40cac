import { Module } from '@nestjs/common';
import { AccountsService } from './accounts.service.js';
import { ApplicationsService } from './applications.service.js';
import { BearerTokensService } from './bearer-tokens.service.js';
import { ClientsService } from './clients.service.js';
import { ConsentsService } from './consents.service.js';
import { TokenIssuanceService } from './token-issuance.service.js';
import { ExpiredRecordsService } from './expired-records.service.js';
import { GrantsService } from './grants.service.js';
import { IssuedTokensService } from './issued-tokens.service.js';
import { PasswordsService } from './passwords.service.js';
import { PersonalTokensService } from './personal-tokens.service.js';
import { SessionsService } from './sessions.service.js';
import { CredentialsService } from './credentials.service.js';
import { SingleUseLinksService } from './single-use-links.service.js';
import { ThrottlesService } from './throttles.service.js';
import { PendingSignInsService } from './pending-sign-ins.service.js';

const SERVICES = [
  AccountsService,
  ApplicationsService,
  BearerTokensService,
  ClientsService,
  ConsentsService,
  TokenIssuanceService,
  ExpiredRecordsService,
  GrantsService,
  IssuedTokensService,
  PasswordsService,
  PersonalTokensService,
  SessionsService,
  CredentialsService,
  SingleUseLinksService,
  ThrottlesService,
  PendingSignInsService,
];

@Module({ providers: SERVICES, exports: SERVICES })
export class AccessModule {}
