import { Module } from '@nestjs/common';
import { ListsService } from './lists.service.js';
import { CountCache, RowCounter } from './row-counter.js';

@Module({ providers: [CountCache, RowCounter, ListsService], exports: [CountCache, ListsService] })
export class ListsModule {}
