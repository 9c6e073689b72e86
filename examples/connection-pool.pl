% A pool of two database connections; clients come at any time.
%
%   idle   clients without a connection     pool   connections in the pool
%   busy   clients with a connection        late   clients that timed out
%
% A client that times out returns its connection (timeout), and the watchdog returns it once more (reap).
% Question: can three clients have a connection?
% Expected: unsafe.
place('idle').
place('pool').
place('busy').
place('late').
init('pool', 2).
transition(arrive, [], ['idle']).
transition(acquire, ['idle', 'pool'], ['busy']).
transition(release, ['busy'], ['idle', 'pool']).
transition(timeout, ['busy'], ['late', 'pool']).
transition(reap, ['late'], ['idle', 'pool']).
target(1, [(['busy'], 3)]).
