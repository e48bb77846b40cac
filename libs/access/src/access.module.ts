import { Module } from '@nestjs/common';
import { Accounts } from './accounts.js';
import { Applications } from './applications.js';
import { Bearers } from './bearers.js';
import { Grants } from './grants.js';
import { Passwords } from './passwords.js';
import { PersonalTokens } from './personal-tokens.js';

const SERVICES = [Accounts, Applications, Bearers, Grants, Passwords, PersonalTokens];

@Module({ providers: SERVICES, exports: SERVICES })
export class AccessModule {}
