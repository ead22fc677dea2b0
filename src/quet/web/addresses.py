"""Addresses: of visitors, of proxies that an operator names, and of the site itself."""

import ipaddress
import re
from collections.abc import Iterable

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def read_networks(text: str) -> tuple[Network, ...]:
    """Addresses and networks, divided by commas, as in `127.0.0.1,10.0.0.0/8`. Raises ValueError."""
    return tuple(ipaddress.ip_network(word.strip()) for word in text.split(",") if word.strip())


def read_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address, as IPv4 where IPv6 stands for that (`::ffff:192.0.2.1`); None where it is no address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_in(host: str, networks: Iterable[Network]) -> bool:
    """Whether an address is in one of the networks."""
    address = read_address(host)
    return address is not None and any(address in network for network in networks)


def network_of(host: str) -> str:
    """What counts as one address: of IPv6 the network, since one connection has very many addresses."""
    address = read_address(host)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return host if address is None else str(address)


def read_hosts(text: str) -> tuple[str, ...]:
    """Names of hosts, without ports, divided by commas, as in `quet.example,192.0.2.1,[::1]`. Raises ValueError."""
    hosts = tuple(word.strip().lower() for word in text.split(",") if word.strip())
    if (text and not hosts) or not all(_HOST.fullmatch(host) for host in hosts):  # of no names any Host would do
        raise ValueError("no name of a host")
    return hosts


def host_of(netloc: str) -> str:
    """The host of `host:port`, in small letters; empty where it can't be read."""
    found = _NETLOC.fullmatch(netloc.lower())
    return found[1].removesuffix(".") if found else ""


_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]")
_NETLOC = re.compile(r"([a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
