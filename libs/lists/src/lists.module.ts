import { Module } from '@nestjs/common';
import { Beliefs } from './beliefs.js';
import { Counts } from './counts.js';
import { Lists } from './lists.js';

@Module({ providers: [Beliefs, Counts, Lists], exports: [Beliefs, Lists] })
export class ListsModule {}
