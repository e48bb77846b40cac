import { Module } from '@nestjs/common';
import { ListsService } from './lists.service.js';
import { CountCache } from './count-cache.js';

@Module({ providers: [CountCache, ListsService], exports: [CountCache, ListsService] })
export class ListsModule {}
