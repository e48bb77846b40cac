import { SecretBox } from '#libs/secret-box';
import { Module } from '@nestjs/common';
import * as services from './services.js';

const SERVICES = Object.values(services);

@Module({ providers: [...SERVICES, SecretBox.provider], exports: SERVICES })
export class AccessModule {}
