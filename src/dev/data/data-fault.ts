import { LocalFault } from '../processes/local-fault.js';

/** Data is missing or cannot be read. The message says which data, and what to do. */
export class DataFault extends LocalFault {}
