import { Module } from '@nestjs/common';
import { Accounts } from './accounts.js';
import { Applications } from './applications.js';
import { Bearers } from './bearers.js';
import { Clients } from './clients.js';
import { Consents } from './consents.js';
import { Exchange } from './exchange.js';
import { Expiry } from './expiry.js';
import { Grants } from './grants.js';
import { IssuedTokens } from './issued-tokens.js';
import { Passwords } from './passwords.js';
import { PersonalTokens } from './personal-tokens.js';
import { Sessions } from './sessions.js';
import { SignIns } from './sign-ins.js';
import { SingleUseLinks } from './single-use-links.js';
import { Throttles } from './throttles.js';
import { Visits } from './visits.js';

const SERVICES = [
  Accounts,
  Applications,
  Bearers,
  Clients,
  Consents,
  Exchange,
  Expiry,
  Grants,
  IssuedTokens,
  Passwords,
  PersonalTokens,
  Sessions,
  SignIns,
  SingleUseLinks,
  Throttles,
  Visits,
];

@Module({ providers: SERVICES, exports: SERVICES })
export class AccessModule {}
