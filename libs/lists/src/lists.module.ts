import { Module } from '@nestjs/common';
import { CountCache } from './count-cache.js';
import { RowCounter } from './row-counter.js';
import { ListsService } from './lists.service.js';

@Module({ providers: [CountCache, RowCounter, ListsService], exports: [CountCache, ListsService] })
export class ListsModule {}
