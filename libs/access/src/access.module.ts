import { Module } from '@nestjs/common';
import * as services from './services.js';

const SERVICES = Object.values(services);

@Module({ providers: SERVICES, exports: SERVICES })
export class AccessModule {}
