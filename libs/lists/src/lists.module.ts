import { Module } from '@nestjs/common';
import { CappedCounts } from './capped-counts.js';
import { Lists } from './lists.js';

@Module({ providers: [CappedCounts, Lists], exports: [Lists] })
export class ListsModule {}
