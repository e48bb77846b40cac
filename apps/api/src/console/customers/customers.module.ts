import { DeskModule } from '#libs/desk';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { ConsoleCustomersController } from './customers.controller.js';
import { CustomersReader } from './customers.reader.js';

/** Customers: search, profile and tickets. */
@Module({
  imports: [DeskModule, ShellModule],
  controllers: [ConsoleCustomersController],
  providers: [CustomersReader],
})
export class ConsoleCustomersModule {}
