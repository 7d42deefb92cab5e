import { LocalFault } from '../processes/local-fault.js';

/** Data is missing or cannot be read: one sentence says which, and what to do. */
export class DataFault extends LocalFault {}
