import { CustomerPagesController } from './customer-pages.controller.js';
import { CustomersController } from './customers.controller.js';

export const CUSTOMERS = {
  controllers: [CustomerPagesController, CustomersController],
};
