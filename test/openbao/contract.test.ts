import { vaultContract } from '../contracts/vault-contract.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { startAdministeredOpenBao } from './administrator.js';

describeWith(OPENBAO, 'the requests of gatehouse, on a real OpenBao', () => {
  vaultContract(startAdministeredOpenBao);
});
