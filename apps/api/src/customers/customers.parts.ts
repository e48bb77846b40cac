import type { ModuleMetadata } from '@nestjs/common';
import { CustomerPagesController } from './customer-pages.controller.js';
import { CustomersController } from './customers.controller.js';

export const CUSTOMERS_PARTS = {
  controllers: [CustomerPagesController, CustomersController],
} satisfies ModuleMetadata;
