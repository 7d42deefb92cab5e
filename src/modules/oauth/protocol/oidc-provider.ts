// Loaded in this order: the notice would be printed while the library is.
import { endRuntimeNotice } from './suppress-version-warning.js';
import { errors, interactionPolicy, Provider } from 'oidc-provider';

endRuntimeNotice();

export { errors, interactionPolicy, Provider };
